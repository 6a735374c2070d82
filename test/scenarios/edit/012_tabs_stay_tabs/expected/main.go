func main() {
	if ready {
		go work()
		go watch()
	} else {
		return
	}
}
