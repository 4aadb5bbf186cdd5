#include "CSwiftRuntime.h"

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/HeapObject.h
extern void *swift_tryRetain(void *object);

void *strata_try_retain(void *object) { return swift_tryRetain(object); }

extern void *swift_retain_n(void *object, unsigned count);

void strata_retain(void *object, unsigned count) { swift_retain_n(object, count); }

bool strata_short_text = false;

static _Thread_local void *scope;

void *strata_thread_scope(void) { return scope; }

void strata_set_thread_scope(void *outermost) { scope = outermost; }
