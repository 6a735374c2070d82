-- a
++ b
c
