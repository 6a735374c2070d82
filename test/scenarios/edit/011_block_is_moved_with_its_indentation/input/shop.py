class Shop:
    def total(self):
        for item in self.items:
            yield item

    def name(self):
        return 'shop'
