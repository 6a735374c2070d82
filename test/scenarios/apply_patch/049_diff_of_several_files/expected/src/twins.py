def first():
    x = 1
    return x

def second():
    x = 2
    return x
