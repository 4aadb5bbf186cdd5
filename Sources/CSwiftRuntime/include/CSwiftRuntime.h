#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

#include <stdbool.h>
#include <stdint.h>

/// Retains `object` unless its deinitialization has begun; returns NULL if it has.
/// Weak references do the same at four times the cost (a side table for every object).
/// The caller must keep the memory from being freed until this returns: see ObjectRegistry.
void *strata_try_retain(void *object);

/// Retains `object` `count` times at the cost of one retain.
void strata_retain(void *object, unsigned count);

typedef void (*strata_registration)(void);
typedef void (*strata_registration_visitor)(strata_registration registration, void *context);

/// Passes each registration function in the images of the program to `body`: those of the `_ProgramRecord`s that
/// generated code contains.
void strata_each_registration(strata_registration_visitor body, void *context);

/// The number of images loaded since the program started, by which a newly loaded library is noticed.
uint64_t strata_loaded_images(void);

/// Whether strings of at most 15 ASCII bytes are stored as ShortText expects. In C, because Swift asks a function for the
/// address of another module's variable.
extern bool strata_short_text;
static inline bool strata_knows_short_text(void) { return strata_short_text; }
static inline void strata_set_knows_short_text(bool known) { strata_short_text = known; }

/// Thread-local storage: the thread's ReadBurst, and the innermost ContextBlock that the thread is in.
void *strata_read_burst(void);
void strata_set_read_burst(void *burst);
void *strata_context_block(void);
void strata_set_context_block(void *block);

#endif
