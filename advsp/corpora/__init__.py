"""Files to sentences, and back: readers, the tag schemes, the prepared corpus."""
