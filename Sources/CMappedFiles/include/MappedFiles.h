#ifndef STRATA_MAPPED_FILES_H
#define STRATA_MAPPED_FILES_H

/// Has SQLite map files so that one that is cut short below its readers does not end the process.
///
/// Reading a mapped page beyond the end of its file raises SIGBUS: see mmap(2). Whoever copies a file over another cuts
/// that one short. A signal handler puts a page of zeros in the place of the missing one; the mapping then counts as torn
/// until it is unmapped.
///
/// Only mappings for reading are guarded. A wal-index, which SQLite maps for writing, is shared by all processes: one
/// that went on with a page of its own would overwrite the commits of others, so there the process ends.
void strata_guard_mappings(void);

/// The number of torn mappings in this process; rarely other than 0.
unsigned strata_torn_mappings(void);

/// Whether the mapping that contains an address is torn.
_Bool strata_is_torn(const void *address);

#endif
