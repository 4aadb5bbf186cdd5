#include "CSwiftRuntime.h"

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/HeapObject.h
extern void *swift_tryRetain(void *object);

void *strata_try_retain(void *object) { return swift_tryRetain(object); }

extern void *swift_retain_n(void *object, unsigned count);

void strata_retain(void *object, unsigned count) { swift_retain_n(object, count); }

/// Exported by libswiftCore: https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/Metadata.cpp
extern const void *swift_lookUpClassMethod(const void *type, const void *method, const void *description);

/// What the compiler wrote down about classes and their members. Weak, as not every program has all of the modules.
#define DESCRIPTION(name, symbol) extern const char name __asm__(symbol) __attribute__((weak));

DESCRIPTION(managed_object, "$s17StrataObjectGraph09NSManagedB0CMn")
DESCRIPTION(managed_object_validate, "$s17StrataObjectGraph09NSManagedB0C13validateValue_6forKeyySpyyXlSgG_SStKFTq")

const void *strata_value_validation(const void *type) {
  return swift_lookUpClassMethod(type, &managed_object_validate, &managed_object);
}

DESCRIPTION(context, "$s17StrataObjectGraph09NSManagedB7ContextCMn")
DESCRIPTION(context_init, "$s17StrataObjectGraph09NSManagedB7ContextC15concurrencyTypeAcA0dbe11ConcurrencyG0O_tcfCTq")
DESCRIPTION(coordinator, "$s23StrataStoreCoordination012NSPersistentB11CoordinatorCMn")
DESCRIPTION(
    coordinator_init,
    "$s23StrataStoreCoordination012NSPersistentB11CoordinatorC18managedObjectModelAC0a7ManagedH009NSManagedgH0C_tcfCTq")
DESCRIPTION(container, "$s23StrataStoreCoordination21NSPersistentContainerCMn")
DESCRIPTION(
    container_init,
    "$s23StrataStoreCoordination21NSPersistentContainerC4name18managedObjectModelACSS_0a7ManagedI009NSManagedhI0CtcfCTq")
DESCRIPTION(object, "$s10Foundation8NSObjectCMn")
DESCRIPTION(object_init, "$s10Foundation8NSObjectCACycfCTq")

/// https://github.com/swiftlang/swift/blob/main/docs/ABI/CallingConvention.rst
typedef __attribute__((swiftcall)) void *(*initializer)(
    uintptr_t, uintptr_t, uintptr_t, __attribute__((swift_context)) const void *);

void *strata_make(const void *type, strata_initializer which, uintptr_t first, uintptr_t second, uintptr_t third) {
  const void *code = 0;
  switch (which) {
    case strata_init_context: code = swift_lookUpClassMethod(type, &context_init, &context); break;
    case strata_init_coordinator: code = swift_lookUpClassMethod(type, &coordinator_init, &coordinator); break;
    case strata_init_container: code = swift_lookUpClassMethod(type, &container_init, &container); break;
    case strata_init_object: code = swift_lookUpClassMethod(type, &object_init, &object); break;
  }
  return ((initializer)code)(first, second, third, type);
}

static _Thread_local void *block;

void *strata_block(void) { return block; }

void strata_set_block(void *innermost) { block = innermost; }
