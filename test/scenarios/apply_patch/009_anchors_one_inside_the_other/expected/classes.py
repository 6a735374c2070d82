class A:
    def go(self):
        walk()

class B:
    def go(self):
        run()
