def first():
    x = 1
    return x

def second():
    y = 0
    x = 1
    return x
