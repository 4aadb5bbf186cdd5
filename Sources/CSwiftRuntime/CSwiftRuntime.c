#include "CSwiftRuntime.h"

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/HeapObject.h
extern void *swift_tryRetain(void *object);

void *strata_try_retain(void *object) { return swift_tryRetain(object); }

extern void *swift_retain_n(void *object, unsigned count);

void strata_retain(void *object, unsigned count) { swift_retain_n(object, count); }

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/Metadata.cpp
extern const void *swift_lookUpClassMethod(const void *type, const void *method, const void *description);

const void *strata_code(const void *type, strata_member member) {
  return swift_lookUpClassMethod(type, member.member, member.declarer);
}

extern const char object __asm__("$s10Foundation8NSObjectCMn"), object_init __asm__("$s10Foundation8NSObjectCACycfCTq");

strata_member strata_object_init(void) { return (strata_member){&object_init, &object}; }

/// https://github.com/swiftlang/swift/blob/main/docs/ABI/CallingConvention.rst
typedef __attribute__((swiftcall)) void *(*initializer)(
    uintptr_t, uintptr_t, uintptr_t, __attribute__((swift_context)) const void *);

void *strata_make(const void *type, strata_member which, uintptr_t first, uintptr_t second, uintptr_t third) {
  return ((initializer)strata_code(type, which))(first, second, third, type);
}

static _Thread_local void *scope;

void *strata_thread_scope(void) { return scope; }

void strata_set_thread_scope(void *outermost) { scope = outermost; }
