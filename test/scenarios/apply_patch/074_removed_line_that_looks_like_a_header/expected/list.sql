++ d
c
