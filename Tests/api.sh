#!/bin/sh
# Compares the API that the tests use with a list of Apple's symbols: `sh Tests/api.sh symbols.tsv`.
# The columns are kind, owner, name, declaration, macos, deprecated, linux, …; only rows with linux = yes are checked.
# Prints how many of them the tests use and how many are known to be missing and why; fails if any is neither.
set -eu
[ $# -eq 1 ] || { echo "usage: sh Tests/api.sh symbols.tsv" >&2; exit 2; }
folder=$(dirname "$0")/AppleBehaviourTests/API
keys='"[a-z-]*|[A-Za-z.]*|[^"]*"'
covered=$(mktemp) missing=$(mktemp)
trap 'rm -f "$covered" "$missing"' EXIT
cat "$folder"/API+*.swift | tr '\n' ' ' | grep -o "$keys" | tr -d '"' >"$covered"
# Each key in the table is followed by the reason.
tr '\n' ' ' <"$folder/MissingAPI.swift" | grep -o "$keys: *\"[^\"]*\"" | tr -d '"' >"$missing"
awk -F '\t' -v covered="$covered" -v missing="$missing" '
  BEGIN {
    while ((getline line < covered) > 0) uses[line]++
    while ((getline line < missing) > 0) { split(line, part, /: +/); why[part[1]] = substr(line, length(part[1]) + 3) }
    # The classes covered by the list, and the kinds of global names.
    owners = "NSManagedObject NSManagedObjectID NSSnapshotEventType NSManagedObjectContext" \
      " NSManagedObjectContext.ConcurrencyType NSManagedObjectContext.ScheduledTaskType" \
      " NSManagedObjectContext.NotificationKey NSManagedObjectContextConcurrencyType NSQueryGenerationToken" \
      " NSMergePolicy NSMergePolicyType NSMergeConflict NSConstraintConflict NSManagedObjectModel" \
      " NSEntityDescription NSPropertyDescription NSFetchIndexDescription NSFetchIndexElementDescription" \
      " NSPersistentStoreRequest NSPersistentStoreRequestType NSPersistentStoreResult NSSaveChangesRequest NSBatchInsertRequest NSBatchInsertRequestResultType" \
      " NSBatchInsertResult NSBatchUpdateRequest NSBatchUpdateRequestResultType NSBatchUpdateResult NSBatchDeleteRequest NSBatchDeleteRequestResultType NSBatchDeleteResult" \
      " NSPersistentStoreCoordinator NSNotification.Name CocoaError CocoaError.Code" \
      " NSFetchRequest NSFetchRequestResultType NSExpressionDescription NSFetchedPropertyDescription" \
      " NSDerivedAttributeDescription NSCompositeAttributeDescription" \
      " NSFetchRequestExpression NSAsynchronousFetchRequest NSAsynchronousFetchResult" \
      " NSPersistentStoreAsynchronousResult" \
      " NSFetchedResultsController NSFetchedResultsControllerDelegate NSFetchedResultsSectionInfo" \
      " NSFetchedResultsChangeType" \
      " NSMappingModel NSEntityMapping NSEntityMappingType NSPropertyMapping NSEntityMigrationPolicy" \
      " NSMigrationManager NSStagedMigrationManager NSMigrationStage NSLightweightMigrationStage" \
      " NSCustomMigrationStage NSManagedObjectModelReference" \
      " NSPersistentHistoryChangeRequest NSPersistentHistoryResult NSPersistentHistoryResultType" \
      " NSPersistentHistoryTransaction NSPersistentHistoryChange NSPersistentHistoryChangeType NSPersistentHistoryToken" \
      " NSPersistentContainer NSPersistentStoreDescription NSPersistentStore NSPersistentStore.StoreType" \
      " NSAtomicStore NSAtomicStoreCacheNode NSIncrementalStore NSIncrementalStoreNode" \
      " NSAttributeDescription NSAttributeDescription.AttributeType NSAttributeType" \
      " NSRelationshipDescription NSDeleteRule NSFetchIndexElementType"
    for (n = split(owners, list, " "); n > 0; n--) about[list[n]] = 1
    about["kind store-option-key"] = about["kind store-type"] = about["kind metadata-key"] = 1
    about["kind userinfo-key"] = about["kind error-userinfo-key"] = about["kind error-code"] = 1
  }
  NR == 1 || $7 != "yes" { next }
  { isType = ($1 == "class" || $1 == "struct" || $1 == "enum") && $2 == "" && $3 in about }
  { isGlobal = $2 == "" && (("kind " $1) in about || ($1 == "constant" && $3 ~ /MergePolicy$/)) }
  !($2 in about) && !isType && !isGlobal { others++; next }
  {
    key = $1 "|" $2 "|" $3
    rows++
    if (uses[key] > 0) { uses[key]--; used++ }
    else if (key in why) { reasons[why[key]]++; known++; delete why[key] }
    else { print "neither used nor explained: " key; unknown++ }
  }
  END {
    for (key in uses) if (uses[key] > 0) print "used, but not in the list: " key
    for (key in why) { print "explained, but not missing: " key; unknown++ }
    for (text in reasons) printf "%4d  %s\n", reasons[text], text | "sort -rn"
    close("sort -rn")
    printf "rows %d, used %d, missing with a reason %d, missing without %d; out of scope: %d\n", \
      rows, used, known, unknown, others
    exit unknown > 0
  }' "$1"
