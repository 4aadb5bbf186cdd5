#include "CSwiftRuntime.h"

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/HeapObject.h
extern void *swift_tryRetain(void *object);

void *strata_try_retain(void *object) { return swift_tryRetain(object); }

extern void *swift_retain_n(void *object, unsigned count);

void strata_retain(void *object, unsigned count) { swift_retain_n(object, count); }

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/Metadata.cpp
extern const void *swift_lookUpClassMethod(const void *type, const void *method, const void *description);

/// What the compiler wrote down about `NSManagedObject` and its method `validateValue(_:forKey:)`.
extern const char class_description __asm__("$s11ObjectGraph09NSManagedA0CMn");
extern const char method_description __asm__("$s11ObjectGraph09NSManagedA0C13validateValue_6forKeyySpyyXlSgG_SStKFTq");

const void *strata_value_validation(const void *type) {
  return swift_lookUpClassMethod(type, &method_description, &class_description);
}

static _Thread_local void *block;

void *strata_block(void) { return block; }

void strata_set_block(void *innermost) { block = innermost; }
