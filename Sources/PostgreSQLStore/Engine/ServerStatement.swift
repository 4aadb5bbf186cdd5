import StrataRowStore
import StrataSQLText

/// A statement whose placeholders are `$1`, `$2` and so on, in the order of its parameters.
package struct ServerStatement {
  package var text: String
  package var parameters: [ServerParameter]

  package init(_ text: String, _ parameters: [ServerParameter] = []) {
    self.text = text
    self.parameters = parameters
  }

  package init(_ statement: SQLStatement) {
    self.init(statement.text, statement.bindings.map(ServerParameter.value))
  }
}

/// A parameter: a single value, or an array that `unnest` turns into a column.
package enum ServerParameter {
  case value(StoredValue)
  case column(ServerColumn)
}
