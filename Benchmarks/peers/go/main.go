// Command peer is what a Go program would be without CellFactory: net/http, encoding/json, html/template.
//
// POST /cells/KIND with an array of rows answers the cells one after another, for the kinds of the benchmarks. It
// takes any free port and prints one line, `listening on http://127.0.0.1:PORT`.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
)

//go:embed cells.html
var source string

var templates = template.Must(template.New("cells").Parse(source))

// buffers hold a request's body, then its answer, and are used again.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// cells answers the rows of a kind, each of them an R.
func cells[R any](kind string) http.HandlerFunc {
	cell := templates.Lookup(kind)
	return func(response http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodPost {
			http.Error(response, "POST only", http.StatusMethodNotAllowed)
			return
		}
		buffer := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(buffer)
		buffer.Reset()
		if _, err := buffer.ReadFrom(request.Body); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		var rows []R
		if err := json.Unmarshal(buffer.Bytes(), &rows); err != nil {
			http.Error(response, err.Error(), http.StatusBadRequest)
			return
		}
		buffer.Reset()
		if err := cell.Execute(buffer, rows); err != nil {
			http.Error(response, err.Error(), http.StatusInternalServerError)
			return
		}
		header := response.Header()
		header.Set("Content-Type", "text/html; charset=utf-8")
		header.Set("Content-Length", strconv.Itoa(buffer.Len()))
		response.Write(buffer.Bytes())
	}
}

func main() {
	http.HandleFunc("/cells/notification", cells[notification]("notification"))
	http.HandleFunc("/cells/news", cells[news]("news"))
	http.HandleFunc("/cells/product", cells[product]("product"))
	http.HandleFunc("/cells/table-row", cells[tableRow]("table-row"))
	http.HandleFunc("/cells/comment", cells[commentRow]("comment"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
