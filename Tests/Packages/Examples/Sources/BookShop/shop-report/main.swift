import Shop

print(Report.lines().joined(separator: "\n"))
