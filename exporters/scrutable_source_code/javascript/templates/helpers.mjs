// How many of the rising cuts a number reaches.
function cuts_reached(cuts, count, x) {
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (x >= cuts[middle]) low = middle + 1;
        else high = middle;
    }
    return low;
}

// The place of a number among rising values, or another.
function place_of_number(values, places, count, x, other) {
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low < count && values[low] === x ? places[low] : other;
}

// The place of a text among rising names, or another.
function place_of_text(names, places, count, x, other, missing) {
    if (x === null) return missing;
    let low = 0;
    let high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (names[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low < count && names[low] === x ? places[low] : other;
}

// Which of several truths is the first to hold, or how many they are.
function first_of(truths, count) {
    for (let place = 0; place < count; place++) if (truths[place]) return place;
    return count;
}

// Which of several numbers is the largest, the first of equal ones.
function largest_of(numbers, count) {
    let largest = 0;
    for (let place = 1; place < count; place++) if (numbers[place] > numbers[largest]) largest = place;
    return largest;
}

function larger(a, b) {
    return a > b ? a : b;
}

function clamp(x, low, high) {
    return x > low ? (x < high ? x : high) : low;
}

// The codes that fall short, those that do most first, the first of equal ones; then how many codes there are, and NaN.
function ranked(numbers, count, ranks) {
    const codes = [];
    const shorts = [];
    for (let rank = 0; rank < ranks; rank++) {
        codes.push(count);
        shorts.push(NaN);
    }
    for (let code = 0; code < count; code++) {
        const number = numbers[code];
        if (!(number > 0)) continue;
        let rank = ranks - 1;
        if (shorts[rank] >= number) continue;
        for (; rank > 0 && !(shorts[rank - 1] >= number); rank--) {
            codes[rank] = codes[rank - 1];
            shorts[rank] = shorts[rank - 1];
        }
        codes[rank] = code;
        shorts[rank] = number;
    }
    return { codes, shorts };
}

// The words of those truths that hold, with blanks between.
function spelled(words, truths, count) {
    const told = [];
    for (let place = 0; place < count; place++) if (truths[place]) told.push(words[place]);
    return told.join(" ");
}
