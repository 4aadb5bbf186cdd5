/// The reason that sources cannot be ported.
package struct PortError: Error {
  package var isMissing: Bool
  package var message: String
}
