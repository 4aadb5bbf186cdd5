import Foundation
import StrataQuakes

/// The file that a person writes settings in, as TOML 1.0.
public struct SettingsFile: Equatable, Sendable {
  public let url: URL
  /// Whether an option or the environment chose it; then it must exist.
  public let isChosen: Bool

  /// The file given by the option (`--config`), else by `QUAKES_CONFIG`, else `quakes/config.toml` in `$XDG_CONFIG_HOME`,
  /// or in `~/.config`.
  public init(option: String? = nil, environment: (String) -> String? = Environment.variable) {
    if let path = [option, environment("QUAKES_CONFIG")].compactMap({ $0 }).first(where: { !$0.isEmpty }) {
      (url, isChosen) = (URL(fileURLWithPath: path), true)
      return
    }
    let folder = Environment.folder("XDG_CONFIG_HOME", default: ".config", environment: environment)
    (url, isChosen) = (folder.file(named: "quakes/config.toml"), false)
  }

  public var exists: Bool { access(url.filePath, F_OK) == 0 }

  /// Larger files are not settings.
  private static let maximumSize = 1 << 20

  /// Reads the file. A missing file is empty, unless the user chose it.
  ///
  /// - Parameter warn: receives a message about unknown keys.
  /// - Throws: `Failure` with status 78 if it cannot be read, is not TOML, or has a value that a setting does not take.
  public func settings(warn: (String) -> Void = { _ in }) throws(Failure) -> Settings {
    guard let text = try text() else { return Settings(of: self) }
    var settings = Settings(of: self)
    settings.take(try document(text))
    let lines = settings.unknownKeys.isEmpty && settings.mistakes.isEmpty ? nil : SettingLines(of: text)
    if let lines, !settings.unknownKeys.isEmpty {
      let keys = settings.unknownKeys.map { "\"\($0.joined(separator: "."))\"\(lines.lineText(of: $0))" }
      warn(
        """
        \(url.path): unknown setting\(keys.count == 1 ? "" : "s") \(keys.joined(separator: ", ")); \
        "quakes config print" lists all
        """)
    }
    guard let lines, !settings.mistakes.isEmpty else { return settings }
    let mistakes = settings.mistakes.map { mistake in
      "\(mistake.key.joined(separator: "."))\(lines.lineText(of: mistake.key)) \(mistake.text)"
    }
    throw Failure(.configuration, "\(url.path): \(mistakes.joined(separator: "; "))")
  }

  /// Where the settings stand in the file.
  ///
  /// - Throws: `Failure` with status 78 if it cannot be read.
  public func lines() throws(Failure) -> SettingLines { SettingLines(of: try text() ?? "") }

  /// - Returns: nil if the file is missing and the user did not choose it.
  func text() throws(Failure) -> String? { try contents()?.text }

  /// The file's text, without the byte order mark that editors of other systems write before it.
  struct Contents: Equatable {
    static let mark = "\u{FEFF}"

    var hasMark = false
    var text: String

    /// - Parameter whole: also with the mark.
    init(_ whole: String) {
      hasMark = whole.unicodeScalars.starts(with: Self.mark.unicodeScalars)
      text = hasMark ? String(whole.unicodeScalars.dropFirst()) : whole
    }

    var data: Data { Data(((hasMark ? Self.mark : "") + text).utf8) }
  }

  /// - Returns: nil if the file is missing and the user did not choose it.
  func contents() throws(Failure) -> Contents? {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if !isChosen, errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure("cannot be read: \(Failure.systemError())")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let data: Data
    do {
      data = try file.read(upToCount: Self.maximumSize + 1) ?? Data()
    } catch {
      throw failure("cannot be read: it must be a text file")
    }
    guard data.count <= Self.maximumSize else { throw failure("is longer than 1 MB, so it is not a settings file") }
    // The parser reads until the first zero byte.
    guard let text = String(validating: data, as: UTF8.self), !data.contains(0) else {
      throw failure("is not text in UTF-8")
    }
    return Contents(text)
  }

  func document(_ text: String) throws(Failure) -> [String: SettingNode] {
    do {
      return try SettingNode.tables(of: text)
    } catch {
      let position = "line \(error.line), column \(error.column)"
      throw failure("is not valid TOML at \(position): \(error.reason); \"quakes config edit\" opens it")
    }
  }

  func failure(_ reason: String) -> Failure { Failure(.configuration, "\(url.path) \(reason)") }
}
