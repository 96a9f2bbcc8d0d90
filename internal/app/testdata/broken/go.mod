module broken.example/broken

go 1.26
