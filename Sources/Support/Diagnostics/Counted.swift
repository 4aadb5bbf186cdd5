/// Returns a number with a noun in the singular or the plural: "1 row", "2 rows".
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}
