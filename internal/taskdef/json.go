package taskdef

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is a JSON object as it was read: its values are nil, bool, json.Number, string, []any or map[string]any.
type object = map[string]any

// readJSON reads one JSON value. It says where the text stops being JSON, and shows nothing of it: container definitions
// hold secrets.
func readJSON(text string) (any, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("is %d bytes long, and more than %d are not read; ECS takes %d without white space", len(text), maxText, MaxBytes)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber() // so that a large number keeps its digits
	var v any
	if err := dec.Decode(&v); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, fmt.Errorf("is not JSON: %s, %s", position(text, syntax.Offset), syntax.Error())
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, errors.New("is not JSON: it ends too early")
		}
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	end := dec.InputOffset()
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		rest := text[end:]
		end += int64(len(rest) - len(strings.TrimLeft(rest, " \t\r\n")))
		return nil, fmt.Errorf("is not JSON: %s, there is more after the end of the array", position(text, end+1))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err == nil && compact.Len() > MaxBytes {
		return nil, fmt.Errorf("is %d bytes long without white space; ECS takes at most %d in a task definition", compact.Len(), MaxBytes)
	}
	return v, nil
}

// position is the line and character of a byte offset that counts from 1, as encoding/json does.
func position(text string, offset int64) string {
	before := text[:max(0, min(int(offset)-1, len(text)))]
	line := strings.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, character %d", strings.Count(before, "\n")+1, utf8.RuneCountInString(before[line:])+1)
}

// find returns the value of a key and how the key is spelled. The case of keys doesn't matter, as for the AWS provider of
// Terraform; null counts as absent. If several spellings are there, the exact one counts, then the first in order.
func find(o object, name string) (any, string) {
	if v := o[name]; v != nil {
		return v, name
	}
	found := ""
	for key, v := range o {
		if v != nil && strings.EqualFold(key, name) && (found == "" || key < found) {
			found = key
		}
	}
	return o[found], found
}

// kind names the type of a JSON value for an error text.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	}
	return "an object"
}

// show prints a scalar for an error text, and of anything else the kind.
func show(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return clip(v.String())
	case string:
		return strconv.Quote(clip(v))
	}
	return kind(v)
}

// clip keeps a hostile value from flooding an error text.
func clip(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// whole reads a JSON number without a fraction, also if it is spelled 1024.0 or 1e3.
func whole(n json.Number) (int64, bool) {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// canonicalNumber spells equal numbers alike, as far as a float64 can tell.
func canonicalNumber(n json.Number) json.Number {
	if i, ok := whole(n); ok {
		return json.Number(strconv.FormatInt(i, 10))
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil {
		return n
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// sortBy orders objects by the text of a key; those without one come first, in their order.
func sortBy(list []any, key string) {
	text := func(v any) string {
		o, _ := v.(object)
		s, _ := o[key].(string)
		return s
	}
	slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(text(a), text(b)) })
}
