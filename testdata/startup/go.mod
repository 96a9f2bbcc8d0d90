module planted.example/module

go 1.26.0
