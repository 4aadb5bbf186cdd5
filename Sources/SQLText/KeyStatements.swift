/// The statements that count keys: the root of each hierarchy has a row with the highest key that was ever given.
package enum KeyStatements {
  /// Takes `?1` more keys for the root with the Z_ENT `?2`; answers the last of them.
  package static let reserve = "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ?1 WHERE Z_ENT = ?2 RETURNING Z_MAX"
  /// Z_ENT, Z_NAME, Z_SUPER, Z_MAX of every entity.
  package static let entities = "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT"
  /// Says that the key `?1` is in use in the hierarchy with the Z_ENT `?2`.
  package static let note = "UPDATE Z_PRIMARYKEY SET Z_MAX = ?1 WHERE Z_ENT = ?2 AND Z_MAX < ?1"
}
