"""Features of every possible link of a sentence pair.

======================= ==========================================================================
:mod:`.statistics`      in how many sentences words stand, alone and together, from unlabelled text
:mod:`.aligners`        aligners and their two directions, from the names of their files
:mod:`.link_counts`     how often an aligner links two words
:mod:`.evidence`        all that features may look at, of one sentence pair
:mod:`.groups`          the features, one file for every idea
:mod:`.sets`            feature sets: which groups, for which aligners
:mod:`.scaling`         columns of mean 0 and standard deviation 1
:mod:`.featuriser`      sentence pairs to instances: fit, transform, save
:mod:`.corpus`          all of it for a prepared bitext
======================= ==========================================================================

The first features are those of Taskar, Lacoste-Julien and Klein (2005), "A discriminative matching approach
to word alignment"; :mod:`.link_counts` follows Cherry and Lin (2006), "Soft syntactic constraints for word
alignment through discriminative training".
"""
