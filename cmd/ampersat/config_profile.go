package main

import (
	"fmt"

	"github.com/ampersat/ampersat/internal/app"
)

// printProfileLayer prints what the profile says in place of the configuration.
// That it cannot be loaded is told with who would answer.
func printProfileLayer(io streams, a *app.App) {
	name, settings, err := a.ProfileLayer()
	if err != nil || len(settings) == 0 {
		return
	}
	rows := [][]string{{"UNDER " + cell(name), "VALUE", "FROM"}}
	for _, s := range settings {
		rows = append(rows, []string{cell(s.Key), cell(fmt.Sprint(s.Value)), cell(s.From.String())})
	}
	fmt.Fprintln(io.out)
	io.table(rows)
}

// layerJSON is the layer of the profile in the output of "config show --json".
type layerJSON struct {
	Name     string        `json:"name"`
	Settings []settingJSON `json:"settings"`
}

func profileLayerJSON(a *app.App) *layerJSON {
	name, settings, err := a.ProfileLayer()
	if err != nil || name == "" {
		return nil
	}
	out := &layerJSON{Name: name, Settings: []settingJSON{}}
	for _, s := range settings {
		out.Settings = append(out.Settings, settingJSON{Key: s.Key, Value: s.Value, From: originJSON{Layer: "profile", Name: s.From.File, Line: s.From.Line}})
	}
	return out
}
