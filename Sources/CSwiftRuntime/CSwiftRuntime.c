#include "CSwiftRuntime.h"

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/HeapObject.h
extern void *swift_tryRetain(void *object);

void *strata_try_retain(void *object) { return swift_tryRetain(object); }

extern void *swift_retain_n(void *object, unsigned count);

void strata_retain(void *object, unsigned count) { swift_retain_n(object, count); }

bool strata_short_text = false;

static _Thread_local void *read_burst;

void *strata_read_burst(void) { return read_burst; }

void strata_set_read_burst(void *burst) { read_burst = burst; }

static _Thread_local void *context_block;

void *strata_context_block(void) { return context_block; }

void strata_set_context_block(void *block) { context_block = block; }
