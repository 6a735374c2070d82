class A:
    def go(self):
        run()

class B:
    def go(self):
        run()
