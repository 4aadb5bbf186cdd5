import StrataQuakesCommand

Quakes.main()
