func main() {
	if ready {
		go work()
	}
}
