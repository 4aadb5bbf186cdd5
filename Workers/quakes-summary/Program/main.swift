import StrataQuakesSummary

QuakesSummary.main()
