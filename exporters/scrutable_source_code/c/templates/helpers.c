// How many of the rising cuts a number reaches.
static int32_t cuts_reached(const double *cuts, int32_t count, double x) {
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (x >= cuts[middle]) low = middle + 1;
        else high = middle;
    }
    return low;
}

// The place of a number among rising values, or another.
static int32_t place_of_number(const double *values, const int32_t *places, int32_t count, double x, int32_t other) {
    int32_t low = 0, high = count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (values[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low < count && values[low] == x ? places[low] : other;
}

// Whether any row has a place. Arrays are not const, since compilers would ask where rows beyond the last are given a value.
static bool any_place(int32_t *places, size_t n, int32_t place) {
    bool any = false;
    ROWS any |= places[i] == place;
    return any;
}

// Whether a truth holds, or does not, for any row.
static bool any_truth(bool *truths, size_t n, bool truth) {
    bool any = false;
    ROWS any |= truths[i] == truth;
    return any;
}

// Which of several truths is the first to hold, or how many they are.
static int32_t first_of(bool *truths, int32_t count) {
    int32_t place = 0;
    while (place < count && !truths[(size_t)place * BLOCK]) place++;
    return place;
}

// Which of several numbers is the largest, the first of equal ones.
static int32_t largest_of(double *numbers, int32_t count) {
    int32_t largest = 0;
    for (int32_t place = 1; place < count; place++) {
        if (numbers[(size_t)place * BLOCK] > numbers[(size_t)largest * BLOCK]) largest = place;
    }
    return largest;
}

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static inline double clamp(double x, double low, double high) {
    return x > low ? (x < high ? x : high) : low;
}

// The codes that fall short, those that do most first, the first of equal ones; then how many codes there are, and NaN.
static void ranked(size_t n, double *numbers, int32_t count, int64_t *codes, double *shorts, int32_t ranks) {
    double number[BLOCK];
    int64_t code[BLOCK];
    for (int32_t rank = 0; rank < ranks; rank++) {
        ROWS codes[(size_t)rank * BLOCK + i] = count;
        ROWS shorts[(size_t)rank * BLOCK + i] = 0.0;
    }
    for (int32_t each = 0; each < count; each++) {
        ROWS number[i] = numbers[(size_t)each * BLOCK + i];
        ROWS code[i] = each;
        for (int32_t rank = 0; rank < ranks; rank++) {
            double *restrict const best = shorts + (size_t)rank * BLOCK;
            int64_t *restrict const first = codes + (size_t)rank * BLOCK;
            ROWS {
                const double left = best[i];
                const int64_t whose = first[i];
                const bool more = number[i] > left || (number[i] == left && code[i] < whose);
                best[i] = more ? number[i] : left;
                first[i] = more ? code[i] : whose;
                number[i] = more ? left : number[i];
                code[i] = more ? whose : code[i];
            }
        }
    }
    for (int32_t rank = 0; rank < ranks; rank++) {
        double *restrict const best = shorts + (size_t)rank * BLOCK;
        int64_t *restrict const first = codes + (size_t)rank * BLOCK;
        ROWS first[i] = best[i] > 0.0 ? first[i] : count;
        ROWS best[i] = best[i] > 0.0 ? best[i] : NAN;
    }
}

// Writes the words of those truths that hold, with blanks between, and gives how long they are.
static int32_t spelled(char *told, const int32_t *words, bool *truths, int32_t count) {
    size_t length = 0;
    for (int32_t place = 0; place < count; place++) {
        if (!truths[(size_t)place * BLOCK]) continue;
        if (length > 0) told[length++] = ' ';
        memcpy(told + length, TEXTS[words[place]].bytes, TEXTS[words[place]].length);
        length += TEXTS[words[place]].length;
    }
    return (int32_t)length;
}
