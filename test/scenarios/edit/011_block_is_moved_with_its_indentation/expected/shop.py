class Shop:
    def total(self):
        for item in self.items:
            if item.price:
                yield item
        self.done = True

    def name(self):
        return 'shop'
