"""Programs that align words without supervision, one file each; and preparing a bitext with them."""

from __future__ import annotations

from advsp.aligners.base import AlignerProgram
from advsp.support.registry import Registry

programs: Registry[type[AlignerProgram]] = Registry("aligner program", "advsp.aligners")
