module cellfactory/benchmarks/peers/go

go 1.19
