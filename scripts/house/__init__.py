"""How the package is laid out, read from its imports: rooms, floors, doors, and the picture of them.

A *room* is a folder directly below the package.  :mod:`house.plan` says on which floor every room is.
"""
