import StrataPorting
import Testing

/// Casts of requests.
struct RequestTests {
  @Test(arguments: [
    Example(
      "Book.fetchRequest() as! NSFetchRequest<Book>", "NSFetchRequest<Book>(entityName: Book.entity().name!)"),
    Example("fetchRequest() as! NSFetchRequest<Self>", "NSFetchRequest<Self>(entityName: entity().name!)"),
    Example(
      "self.fetchRequest() as! NSFetchRequest<Book>", "NSFetchRequest<Book>(entityName: self.entity().name!)"),
    Example(
      "Book.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>",
      "Book.fetchRequest() as NSFetchRequest<NSFetchRequestResult>"),
    Example(
      "NSFetchRequest<Book>(entityName: \"Book\") as! NSFetchRequest<NSDictionary>",
      "NSFetchRequest<NSDictionary>(entityName: \"Book\")"),
    Example(
      "NSFetchRequest(entityName: f(1)) as! NSFetchRequest<Book>", "NSFetchRequest<Book>(entityName: f(1))"),
    Example(
      "fetch(NSFetchRequest<Box<Book>>(entityName: \"B\")\n    as! NSFetchRequest<Box<Note>>)",
      "fetch(NSFetchRequest<Box<Note>>(entityName: \"B\")\n)"),
    Example(unchanged: "request.copy() as! NSFetchRequest<Book>"),
  ]) func `calls create a request of the right type`(_ example: Example) {
    let ported = Ported("import CoreData\nlet a = " + example.before)
    #expect(ported.text == "import CoreData\nlet a = " + example.after)
    #expect(ported.remarks.isEmpty)
  }

  @Test(arguments: [
    Example(
      "= NSFetchRequest<Book>(entityName: \"Book\")", "= NSFetchRequest<NSFetchRequestResult>(entityName: \"Book\")"),
    Example(
      ": NSFetchRequest<Book> = Book.fetchRequest()", ": NSFetchRequest<NSFetchRequestResult> = Book.fetchRequest()"),
    Example(
      ": NSFetchRequest<Book> = .init(entityName: a)", ": NSFetchRequest<NSFetchRequestResult> = .init(entityName: a)"),
  ]) func `a variable gets the type to which it is cast`(_ example: Example) {
    func function(_ declaration: String, _ cast: String) -> String {
      """
      import CoreData
      func delete() throws {
        let request \(declaration)
        request.predicate = NSPredicate(value: true)
        try context.execute(NSBatchDeleteRequest(fetchRequest: request\(cast)))
        context.delete(request\(cast))
      }
      """
    }
    let ported = Ported(function(example.before, " as! NSFetchRequest<NSFetchRequestResult>"))
    #expect(ported.text == function(example.after, ""))
    #expect(ported.remarks.isEmpty)
  }

  @Test(arguments: [
    "func f(request: NSFetchRequest<Book>) { g(request as! NSFetchRequest<NSFetchRequestResult>) }",
    "func f() { let r = NSFetchRequest<Book>(entityName: a); h(r); g(r as! NSFetchRequest<NSFetchRequestResult>) }",
    "func f() { let r = make(); g(r as! NSFetchRequest<NSFetchRequestResult>) }",
    "func f() { g(model.fetchRequestTemplate(forName: a) as! NSFetchRequest<Book>) }",
    "func f() { guard let r = g() as? NSFetchRequest<NSFetchRequestResult> else { return } }",
    "func f() { g(provider.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>) }",
    "func f() { g(type(of: self).fetchRequest() as! NSFetchRequest<Book>) }",
  ]) func `other casts are unchanged`(_ function: String) {
    let source = "import CoreData\n\(function)"
    let ported = Ported(source)
    #expect(ported.text == source)
    #expect(ported.remarks.count == 1 && ported.remarks[0].hasSuffix("(Requests with another result type)"))
  }

  @Test(arguments: [
    "override class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> { a }",
    "class func fetchRequest() -> NSFetchRequest<Book> { let r = NSFetchRequest<Book>(entityName: \"B\"); return r }",
    "func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> { NSFetchRequest<A>(entityName: \"A\") }",
  ]) func `requests that a class creates itself are unchanged`(_ method: String) {
    let source = "import CoreData\nlet a = Book.fetchRequest() as! NSFetchRequest<Book>"
    #expect(Ported(source, with: ["class Book { \(method) }"]).text == source)
    let xcode = "@nonobjc public class func fetchRequest() -> NSFetchRequest<Note> {\n"
    let generated = xcode + "    return NSFetchRequest<Note>(entityName: \"Note\")\n}"
    #expect(Ported(source, with: ["class Note { \(generated) }"]).text != source)
  }
}
