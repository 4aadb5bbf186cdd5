import Containers
import CoreData

// Adds COUNT stops, with a save each, and ends when it shows TOTAL stops of all processes. It fetches before it adds stops:
// others' stops appear automatically.

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), let total = Int(arguments[3]) else {
  FileHandle.standardError.write(Data("usage: trip-log NAME COUNT TOTAL\n".utf8))
  exit(2)
}

let container = try TripsContainer.open(as: arguments[1])
let context = container.viewContext
let request: NSFetchRequest<Stop> = Stop.fetchRequest()
request.sortDescriptors = [NSSortDescriptor(keyPath: \Stop.arrival, ascending: true)]
let stops = NSFetchedResultsController(
  fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
let arrivals = Arrivals(total: total)
stops.delegate = arrivals
try stops.performFetch()

for number in 0..<count {
  let stop = Stop(context: context)
  stop.arrival = Date()
  stop.place = "Stop \(number + 1)"
  stop.traveler = arguments[1]
  try context.save()
}
arrivals.endIfComplete(stops.fetchedObjects ?? [], in: context)
RunLoop.main.run()
