package provider

import "encoding/json"

// privateEntry and withPrivateEntry read and write beside what the framework keeps in the private state, as it does: a
// JSON object whose values are JSON in base64. An empty entry is none.
func privateEntry(private []byte, key string) []byte {
	var entries map[string][]byte
	if len(private) == 0 || json.Unmarshal(private, &entries) != nil {
		return nil // not ours
	}
	return entries[key]
}

func withPrivateEntry(private []byte, key string, entry []byte) []byte {
	entries := map[string][]byte{}
	if len(private) > 0 && json.Unmarshal(private, &entries) != nil {
		return private
	}
	delete(entries, key)
	if len(entry) > 0 {
		entries[key] = entry
	}
	if len(entries) == 0 {
		return nil
	}
	data, err := json.Marshal(entries)
	if err != nil {
		return private
	}
	return data
}

func privateText(private []byte, key string) string {
	var text string
	_ = json.Unmarshal(privateEntry(private, key), &text) // absent, or not ours: no text
	return text
}

func withPrivateText(private []byte, key, text string) []byte {
	if text == "" {
		return withPrivateEntry(private, key, nil)
	}
	entry, err := json.Marshal(text)
	if err != nil {
		return private
	}
	return withPrivateEntry(private, key, entry)
}
