package main

import "encoding/json"

// The rows of each kind. Numbers that are not counts are json.Number, which keeps the digits that were sent.

type moment struct {
	ISO   string `json:"iso"`
	Label string `json:"label"`
}

type author struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type image struct {
	Src string `json:"src"`
	Alt string `json:"alt"`
}

type notification struct {
	Text   string  `json:"text"`
	Level  string  `json:"level"`
	Unread bool    `json:"unread"`
	URL    string  `json:"url"`
	Action string  `json:"action"`
	Sent   *moment `json:"sent"`
}

type news struct {
	Title     string   `json:"title"`
	URL       string   `json:"url"`
	Summary   string   `json:"summary"`
	Author    *author  `json:"author"`
	Published *moment  `json:"published"`
	Tags      []string `json:"tags"`
	Image     *image   `json:"image"`
}

type rating struct {
	Value json.Number `json:"value"`
	Count int         `json:"count"`
	Label string      `json:"label"`
}

type stock struct {
	Level string `json:"level"`
	Label string `json:"label"`
}

type product struct {
	Name     string      `json:"name"`
	URL      string      `json:"url"`
	Image    *image      `json:"image"`
	Badge    string      `json:"badge"`
	Price    json.Number `json:"price"`
	OldPrice json.Number `json:"oldPrice"`
	Currency string      `json:"currency"`
	Rating   *rating     `json:"rating"`
	Stock    *stock      `json:"stock"`
}

type tableRow struct {
	ID       int         `json:"id"`
	Date     string      `json:"date"`
	Customer string      `json:"customer"`
	Country  string      `json:"country"`
	Item     string      `json:"item"`
	Quantity int         `json:"quantity"`
	Amount   json.Number `json:"amount"`
	Status   string      `json:"status"`
}

type comment struct {
	ID        int          `json:"id"`
	Author    *author      `json:"author"`
	Published moment       `json:"published"`
	Text      string       `json:"text"`
	Edited    bool         `json:"edited"`
	Replies   []commentRow `json:"replies"`
}

type commentRow struct {
	Comment comment `json:"comment"`
}
