#include "ClassMembers.h"

// The names that the compiler gives to what it writes down of classes and their members:
// https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst. Swift cannot refer to these symbols, and C cannot
// import a module, so only the linker joins them. Weak, as not every program has all of the modules.
#define DESCRIPTION(name, symbol) extern const char name __asm__(symbol) __attribute__((weak));

DESCRIPTION(managed_object, "$s17StrataObjectGraph09NSManagedB0CMn")
DESCRIPTION(managed_object_validate, "$s17StrataObjectGraph09NSManagedB0C13validateValue_6forKeyySpyyXlSgG_SStKFTq")
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

strata_member strata_validate_value(void) { return (strata_member){&managed_object_validate, &managed_object}; }

strata_member strata_context_init(void) { return (strata_member){&context_init, &context}; }

strata_member strata_coordinator_init(void) { return (strata_member){&coordinator_init, &coordinator}; }

strata_member strata_container_init(void) { return (strata_member){&container_init, &container}; }
