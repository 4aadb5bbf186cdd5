/// The schema of the store on a PostgreSQL server. Another schema keeps the history that purges delete.
struct ServerStore: VerifiedStore {
  let server: SoakServer

  /// Makes the server keep purged history. Has an effect only once, after the store is created.
  func keepPurged() throws {
    guard try server.rows("SELECT to_regnamespace('kept')::text")[0][0].isEmpty else { return }
    _ = try server.rows("CREATE SCHEMA kept")
    for table in ["atransaction", "achange"] {
      _ = try server.rows("CREATE TABLE kept.\(table) (LIKE \(table))")
      _ = try server.rows(
        """
        CREATE FUNCTION kept.keep_\(table)() RETURNS trigger LANGUAGE plpgsql AS \
        'BEGIN INSERT INTO kept.\(table) SELECT * FROM gone; RETURN NULL; END'
        """)
      _ = try server.rows(
        """
        CREATE TRIGGER keep AFTER DELETE ON \(table) REFERENCING OLD TABLE AS gone \
        FOR EACH STATEMENT EXECUTE FUNCTION kept.keep_\(table)()
        """)
    }
  }

  /// The whole history, as tables `t` and `c`.
  private static let history = """
    WITH t AS (SELECT * FROM atransaction UNION ALL SELECT * FROM kept.atransaction), \
    c AS (SELECT z_name, a.* FROM (SELECT * FROM achange UNION ALL SELECT * FROM kept.achange) a \
    JOIN z_primarykey ON z_ent = zentity)
    """

  private func integers(_ sql: String) throws -> [[Int]] {
    try server.rows(sql).map { row in row.map { Int($0) ?? 0 } }
  }

  func newest() throws -> RawStore.Newest {
    let commits = try integers(
      """
      \(Self.history) SELECT zentitypk FROM c JOIN t USING (zbatch) WHERE z_name = 'Commit' AND zchangetype = 0 \
      ORDER BY t.z_pk DESC LIMIT 1
      """)
    let counts = try integers("SELECT (SELECT count(*) FROM zcommit), last FROM strata_counter")
    return RawStore.Newest(commit: counts[0][0], transaction: counts[0][1], row: commits.first?.first ?? 0)
  }

  func commits(after first: Int) throws -> [StoredCommit] {
    let rows = try integers(
      """
      \(Self.history) SELECT rank() OVER (ORDER BY t.z_pk), r.z_pk, zlife, znumber \
      FROM zcommit r JOIN c ON zentitypk = r.z_pk JOIN t USING (zbatch) \
      WHERE z_name = 'Commit' AND zchangetype = 0 ORDER BY 1
      """)
    return rows.map { StoredCommit(position: $0[0], row: $0[1], life: $0[2], number: $0[3]) }
      .filter { $0.position > first }
  }

  func faults() throws -> [String] {
    var faults: [String] = []
    func expectNone(_ what: String, _ sql: String) throws {
      let count = try integers("\(Self.history) SELECT count(*) \(sql)")[0][0]
      if count != 0 { faults.append("\(count) \(what)") }
    }
    try expectNone(
      "numbers without a transaction, or with two",
      """
      FROM (SELECT n FROM strata_counter, generate_series(1, last) n LEFT JOIN t ON z_pk = n GROUP BY n \
      HAVING count(z_pk) <> 1) x
      """)
    try expectNone("transactions above the counter", "FROM t, strata_counter WHERE z_pk > last")
    try expectNone(
      "transactions with one number of changes", "FROM (SELECT FROM t GROUP BY zbatch HAVING count(*) > 1) x")
    try expectNone("changes without a transaction", "FROM c WHERE zbatch NOT IN (SELECT zbatch FROM t)")
    for (entity, table) in [("Commit", "zcommit"), ("Item", "zitem"), ("Place", "zplace"), ("Tag", "ztag")] {
      try expectNone(
        "rows of \(table) that are missing in the history, or vice versa",
        """
        FROM (SELECT zentitypk, sum(CASE zchangetype WHEN 0 THEN 1 WHEN 2 THEN -1 ELSE 0 END) AS lives FROM c \
        WHERE z_name = '\(entity)' GROUP BY zentitypk) h FULL JOIN \(table) r ON r.z_pk = zentitypk \
        WHERE coalesce(lives, -1) <> CASE WHEN r.z_pk IS NULL THEN 0 ELSE 1 END
        """)
      try expectNone(
        "rows of \(table) that changed more or less often than in the history",
        """
        FROM \(table) r JOIN (SELECT zentitypk, count(*) AS count FROM c WHERE z_name = '\(entity)' GROUP BY zentitypk) h \
        ON r.z_pk = zentitypk WHERE z_opt <> count
        """)
      try expectNone(
        "rows of \(table) above z_max",
        "FROM \(table) WHERE z_pk > (SELECT z_max FROM z_primarykey WHERE z_name = '\(entity)')")
    }
    try expectNone(
      "items with a dangling place", "FROM zitem WHERE zplace IS NOT NULL AND zplace NOT IN (SELECT z_pk FROM zplace)")
    return faults
  }
}
