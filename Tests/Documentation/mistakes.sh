#!/bin/sh
# Checks that the compiler reports a mistake in a program that uses Core Data as one error, at its line and about names in the
# program: `sh Tests/Documentation/mistakes.sh MODEL_COMPILER OPTION...`, with the compiler's options for a client of the
# package. Each mistake is an edit of the same program. The model compiler generates its accessors, and both are type-checked.
set -eu
compiler=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 count=0

cat >"$folder/Correct.swift" <<'END'
import CoreData
final class Person: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var age: Int64
  @NSManaged var best: Person?
  @NSManaged func addToFriends(_ value: Person)
  var title: String { name ?? "" }
}
func use(_ person: Person, queue: DispatchQueue) {
  person.age = 3
}
class Pool {
  func autoreleasepool(_ size: Int) {}
  func drain() { Swift.print() }
}
END

# mistake EDIT ERROR...: each error is LINE: TEXT; the text may be only the beginning of the compiler's message.
mistake() {
  edit=$1
  shift
  count=$((count + 1))
  sed "$edit" "$folder/Correct.swift" >"$folder/Person.swift"
  "$compiler" --module Program --kind executable --output "$folder/generated" --sources "$folder/Person.swift" \
    --models --mappings --dependencies
  # The column is removed, and the name of the program's file too.
  swiftc -typecheck -wmo -swift-version 6 -parse-as-library -module-name Program -diagnostic-style llvm $options \
    "$folder/Person.swift" "$folder"/generated/*.swift 2>&1 | grep -E ': (error|warning): ' |
    sed "s|^$folder/Person\.swift:||; s|^\([0-9]*\):[0-9]*: error:|\1:|" | sort >"$folder/found" || true
  wrong=$(wc -l <"$folder/found")
  for expected in "$@"; do
    grep -qF "$expected" "$folder/found" && wrong=$((wrong - 1)) || wrong=-1000
  done
  if [ "$wrong" -ne 0 ]; then
    echo "The edit $edit is reported as:" >&2
    cat "$folder/found" >&2
    failed=1
  fi
}

options=$*
mistake ''
mistake 's/import CoreData/import Foundation/' "2: cannot find type 'NSManagedObject' in scope"
mistake 's/: NSManagedObject/: NSManagedObjct/' "2: cannot find type 'NSManagedObjct' in scope"
mistake 's/: NSManagedObject/: NSObject/' "3: CoreDataModel: 'name': the class 'Person' does not inherit from NSManagedObject"
mistake 's/: NSManagedObject//' "3: CoreDataModel: 'name': the class 'Person' does not inherit from NSManagedObject"
mistake 's/name: String/name: Strin/' "3: cannot find type 'Strin' in scope"
mistake 's/best: Person/best: Persn/' "5: cannot find type 'Persn' in scope"
mistake 's/name: String/name: DispatchQueue/' \
  "3: 'accessor' is unavailable: CoreDataModel: 'name': cannot find the type 'DispatchQueue'" \
  "7: cannot convert value of type 'DispatchQueue?' to expected argument type 'String?'"
mistake 's/var age/let age/' "4: '@NSManaged' not allowed on a 'let' property" "10: cannot assign to property: 'age' is a 'let'"
mistake 's/var age/static var age/' "4: '@NSManaged' only allowed on an instance property" \
  "10: static member 'age' cannot be used on instance of type 'Person'"
mistake 's/age = 3/age = "3"/' "10: cannot assign value of type 'String' to type 'Int64'"
mistake 's/{ name ?? "" }/{ shout() }/' "7: cannot find 'shout' in scope"
mistake 's/{ name ?? "" }/{ nam ?? "" }/' "7: cannot find 'nam' in scope"
mistake 's/value: Person)/value: Person/' "6: expected ')' in parameter"
mistake 's/value: Person)/value: Persn)/' "6: cannot find type 'Persn' in scope"
mistake 's/var best: Person?/var age: Int64/' "5: invalid redeclaration of 'age'"
mistake 's/class Pool/class Person/' "12: invalid redeclaration of 'Person'" "5: 'Person' is ambiguous" \
  "6: 'Person' is ambiguous" "9: 'Person' is ambiguous"
mistake 's/class Pool {/extension Persn { @NSManaged var count: Int64/' "12: cannot find type 'Persn' in scope"
mistake 's/person.age = 3/_ = Person()/' "10: 'init()' is unavailable: A managed object has an entity: use init(context:)"
mistake 's/person.age = 3/_ = NSIncrementalStore()/' "10: 'init()' is unavailable: A coordinator creates stores: use addPersist"
mistake 's/person.age = 3/_ = queue === .main/' "10: type 'AnyObject?' has no member 'main'"
mistake 's/Swift.print()/autoreleasepool {}/' "14: use of 'autoreleasepool' refers to instance method rather than global \
function 'autoreleasepool(invoking:)' in module 'CoreData'"

# A class that the target declares and also generates from a model.
mkdir "$folder/Model.xcdatamodel"
cat >"$folder/Model.xcdatamodel/contents" <<'END'
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
    <entity name="Person" representedClassName="Person" codeGenerationType="class"/>
</model>
END
count=$((count + 1))
if "$compiler" --module Program --kind executable --output "$folder/generated" --sources "$folder/Correct.swift" \
  --models "$folder/Model.xcdatamodel" --mappings --dependencies 2>"$folder/found" ||
  ! grep -qF "Correct.swift:2: error: the model generates the class 'Person' too" "$folder/found"
then
  echo "A class that is declared and generated is reported as:" >&2
  cat "$folder/found" >&2
  failed=1
fi

[ "$failed" -ne 0 ] || echo "mistakes: $count, each of which is reported at its line"
exit $failed
