if a:
    x = 1
    y = 2
    if b:
        x = 1
        y = 2
