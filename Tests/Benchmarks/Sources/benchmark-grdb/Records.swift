import BenchmarkData
import BenchmarkEvents
import GRDB

/// A quake as GRDB's fastest kind of record: columns by index, no coding by name.
struct Quake: FetchableRecord {
  var key: Int64
  var version: Int64
  var time, updated, magnitude, latitude, longitude, depth: Double
  var ident, place, net, status, type: String
  var felt: Int64?
  var significance: Int64
  var region: Int64

  static let columns = """
    Z_PK, Z_OPT, ZTIME, ZUPDATED, ZMAGNITUDE, ZLATITUDE, ZLONGITUDE, ZDEPTH, ZIDENT, ZPLACE, ZNET, ZSTATUS, ZTYPE, \
    ZFELT, ZSIGNIFICANCE, ZREGION
    """

  init(row: Row) {
    key = row[0]
    version = row[1]
    time = row[2]
    updated = row[3]
    magnitude = row[4]
    latitude = row[5]
    longitude = row[6]
    depth = row[7]
    ident = row[8]
    place = row[9]
    net = row[10]
    status = row[11]
    type = row[12]
    felt = row[13]
    significance = row[14]
    region = row[15]
  }

  func add(to sum: inout benchmark_sum) {
    sum.reals += magnitude + latitude + longitude + depth
    sum.reals += time + updated
    sum.integers += Int64(ident.utf8.count + place.utf8.count + net.utf8.count)
    sum.integers += Int64(status.utf8.count + type.utf8.count) + (felt ?? 0) + significance
  }
}

extension Event {
  /// The arguments of an insert, the key first.
  func arguments(key: Int64, region: Int64) -> StatementArguments {
    [
      key, time, updated, magnitude, latitude, longitude, depth, ident, place, net, status, type, felt, significance,
      region,
    ]
  }

  func isSame(as quake: Quake) -> Bool {
    time == quake.time && updated == quake.updated && magnitude == quake.magnitude && latitude == quake.latitude
      && longitude == quake.longitude && depth == quake.depth && place == quake.place && net == quake.net
      && status == quake.status && type == quake.type && felt == quake.felt && significance == quake.significance
  }
}
