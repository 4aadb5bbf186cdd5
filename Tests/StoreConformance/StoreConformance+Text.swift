import StrataManagedModel
import StrataPredicates
import StrataRowStore

/// Text operators and their options.
extension StoreConformance {
  static let textFilterChecks = [
    ConformanceCheck("text is compared by its bytes") { factory in
      try words(factory).expectNames(
        "Tag",
        [
          ("name = 'alps'", ["alps"]), ("name = 'ALPS'", ["ALPS"]),
          ("name != 'alps'", ["ALPS", "Älps", "al*s", "", "nil"]),
          ("name < 'a'", ["ALPS", ""]), ("name >= 'alps'", ["alps", "Älps"]), ("name = ''", [""]),
        ])
    },
    ConformanceCheck("CONTAINS, BEGINSWITH and ENDSWITH compare parts of a text") { factory in
      try words(factory).expectNames(
        "Tag",
        [
          ("name CONTAINS 'lp'", ["alps", "Älps"]), ("name CONTAINS 'LP'", ["ALPS"]),
          ("name CONTAINS ''", ["alps", "ALPS", "Älps", "al*s", ""]), ("name BEGINSWITH 'al'", ["alps", "al*s"]),
          ("name BEGINSWITH 'Ä'", ["Älps"]), ("name BEGINSWITH ''", ["alps", "ALPS", "Älps", "al*s", ""]),
          ("name ENDSWITH 'ps'", ["alps", "Älps"]), ("name ENDSWITH ''", ["alps", "ALPS", "Älps", "al*s", ""]),
          ("name CONTAINS '*'", ["al*s"]), ("name BEGINSWITH 'al*'", ["al*s"]), ("name CONTAINS nil", []),
          ("NOT name CONTAINS 'lp'", ["ALPS", "al*s", "", "nil"]),
          ("NOT name BEGINSWITH 'al'", ["ALPS", "Älps", "", "nil"]),
        ])
    },
    ConformanceCheck("option c ignores case") { factory in
      try words(factory).expectNames(
        "Tag",
        [
          ("name =[c] 'Alps'", ["alps", "ALPS"]), ("name !=[c] 'Alps'", ["Älps", "al*s", "", "nil"]),
          ("name =[c] 'äLPS'", ["Älps"]), ("name CONTAINS[c] 'LP'", ["alps", "ALPS", "Älps"]),
          ("name BEGINSWITH[c] 'aL'", ["alps", "ALPS", "al*s"]), ("name ENDSWITH[c] 'Ps'", ["alps", "ALPS", "Älps"]),
          ("name IN[c] {'ALps', 'x'}", ["alps", "ALPS"]), ("name LIKE[c] 'A?PS'", ["alps", "ALPS"]),
          ("name MATCHES[c] 'AL.S'", ["alps", "ALPS", "al*s"]),
        ])
    },
    ConformanceCheck("option d ignores diacritics") { factory in
      try words(factory).expectNames(
        "Tag",
        [
          ("name =[d] 'älps'", ["alps"]), ("name =[cd] 'álps'", ["alps", "ALPS", "Älps"]),
          ("name BEGINSWITH[d] 'Al'", ["Älps"]), ("name CONTAINS[cd] 'ál'", ["alps", "ALPS", "Älps", "al*s"]),
          ("name LIKE[cd] 'a*ps'", ["alps", "ALPS", "Älps"]),
        ])
    },
    ConformanceCheck("LIKE matches the whole text") { factory in
      try words(factory).expectNames(
        "Tag",
        [
          ("name LIKE 'al*'", ["alps", "al*s"]), ("name LIKE '*l?s'", ["alps", "Älps", "al*s"]), ("name LIKE 'lp'", []),
          ("name LIKE '????'", ["alps", "ALPS", "Älps", "al*s"]), (#"name LIKE 'al\\*s'"#, ["al*s"]),
          ("name LIKE ''", [""]), ("name LIKE '*'", ["alps", "ALPS", "Älps", "al*s", ""]), ("name LIKE 'al%'", []),
          ("NOT name LIKE '*l*'", ["ALPS", "", "nil"]),
        ])
    },
    ConformanceCheck("MATCHES matches the whole text") { factory in
      try words(factory).expectNames(
        "Tag",
        [
          ("name MATCHES 'a.*'", ["alps", "al*s"]), ("name MATCHES 'l'", []), ("name MATCHES '[a-z]+'", ["alps"]),
          (#"name MATCHES 'al\\*s|ALPS'"#, ["ALPS", "al*s"]),
          ("NOT name MATCHES '.+'", ["", "nil"]),
        ])
    },
  ]

  private static func words(_ factory: any StoreFactory) throws -> StoreFixture {
    let fixture = try StoreFixture(factory)
    try fixture.saveNamed("Tag", ["alps", "ALPS", "Älps", "al*s", ""])
    try fixture.save { try $0.insert("Tag") }
    return fixture
  }
}
