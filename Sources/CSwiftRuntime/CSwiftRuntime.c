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

DESCRIPTION(managed_object, "$s11ObjectGraph09NSManagedA0CMn")
DESCRIPTION(managed_object_validate, "$s11ObjectGraph09NSManagedA0C13validateValue_6forKeyySpyyXlSgG_SStKFTq")

const void *strata_value_validation(const void *type) {
  return swift_lookUpClassMethod(type, &managed_object_validate, &managed_object);
}

DESCRIPTION(context, "$s11ObjectGraph09NSManagedA7ContextCMn")
DESCRIPTION(context_init, "$s11ObjectGraph09NSManagedA7ContextC15concurrencyTypeAcA0cad11ConcurrencyF0O_tcfCTq")
DESCRIPTION(coordinator, "$s17StoreCoordination012NSPersistentA11CoordinatorCMn")
DESCRIPTION(
    coordinator_init,
    "$s17StoreCoordination012NSPersistentA11CoordinatorC18managedObjectModelAC07ManagedG009NSManagedfG0C_tcfCTq")
DESCRIPTION(container, "$s17StoreCoordination21NSPersistentContainerCMn")
DESCRIPTION(
    container_init,
    "$s17StoreCoordination21NSPersistentContainerC4name18managedObjectModelACSS_07ManagedH009NSManagedgH0CtcfCTq")

/// https://github.com/swiftlang/swift/blob/main/docs/ABI/CallingConvention.rst
typedef __attribute__((swiftcall)) void *(*initializer)(
    uintptr_t, uintptr_t, uintptr_t, __attribute__((swift_context)) const void *);

void *strata_make(const void *type, strata_initializer which, uintptr_t first, uintptr_t second, uintptr_t third) {
  const void *code = 0;
  switch (which) {
    case strata_init_context: code = swift_lookUpClassMethod(type, &context_init, &context); break;
    case strata_init_coordinator: code = swift_lookUpClassMethod(type, &coordinator_init, &coordinator); break;
    case strata_init_container: code = swift_lookUpClassMethod(type, &container_init, &container); break;
  }
  return ((initializer)code)(first, second, third, type);
}

static _Thread_local void *block;

void *strata_block(void) { return block; }

void strata_set_block(void *innermost) { block = innermost; }
