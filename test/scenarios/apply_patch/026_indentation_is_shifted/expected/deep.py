if a:
    if b:
        x = 1
        if c:
            y = 3
