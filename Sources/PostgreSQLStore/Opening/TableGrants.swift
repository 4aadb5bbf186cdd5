import StrataSQLText

/// The rights of other roles on the tables of a store, to be given again on the tables that take their places.
struct TableGrants {
  /// The names of tables and sequences, with the ends of statements: everything but the name.
  private let grants: [(table: String, start: String, end: String)]

  init(of connection: ServerConnection) throws {
    let result = try connection.run(
      SQLStatement(
        """
        SELECT c.relname::text, \
        format('GRANT %s ON %s', a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END), \
        format('TO %s%s', CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END, \
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) \
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, aclexplode(c.relacl) a \
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'S') AND a.grantee <> c.relowner
        """, [.text(connection.address.schema)]))
    grants = (0..<result.rowCount).map { (result.text($0, 0), result.text($0, 1), result.text($0, 2)) }
  }

  /// Grants the rights on a former table to the same roles, on another table.
  /// - Parameters:
  ///   - old: the name as in the catalog.
  ///   - new: the name as in statements.
  func give(_ old: String, on new: String, by connection: ServerConnection) throws {
    for grant in grants where grant.table == old {
      try connection.run(SQLStatement("\(grant.start) \(new) \(grant.end)"))
    }
  }
}
