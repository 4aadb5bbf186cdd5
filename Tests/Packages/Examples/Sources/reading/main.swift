import CoreData

let container = NSPersistentContainer(name: "Reading")
container.loadPersistentStores { _, error in
  if let error { fatalError(error.localizedDescription) }
}
let context = container.viewContext

if CommandLine.arguments.count == 4 {
  let book = Book(context: context)
  book.title = CommandLine.arguments[1]
  book.pages = Int32(CommandLine.arguments[3]) ?? 0
  let author = Author(context: context)
  author.name = CommandLine.arguments[2]
  author.addToBooks(book)
  try context.save()
}

let request: NSFetchRequest<Book> = Book.fetchRequest()
request.predicate = NSPredicate(format: "pages > %d", 100)
request.sortDescriptors = [
  NSSortDescriptor(keyPath: \Book.title, ascending: true)
]
for book in try context.fetch(request) {
  print(book.author?.name ?? "?", book.title ?? "?", book.pages)
}
