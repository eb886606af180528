// How many of the rising cuts a number reaches.
private static int cuts_reached(double[] cuts, int count, double x) {
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = (low + high) >>> 1;
        if (x >= cuts[middle]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The place of a number among rising values, or another.
private static int place_of_number(double[] values, int[] places, int count, double x, int other) {
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = (low + high) >>> 1;
        if (values[middle] < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && values[low] == x ? places[low] : other;
}

// The place of a text among rising names, or another.
private static int place_of_text(String[] names, int[] places, int count, String x, int other, int missing) {
    if (x == null) {
        return missing;
    }
    int low = 0;
    int high = count;
    while (low < high) {
        int middle = (low + high) >>> 1;
        if (names[middle].compareTo(x) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && names[low].equals(x) ? places[low] : other;
}

// Which of several truths is the first to hold, or how many they are.
private static int first_of(boolean[] truths, int count) {
    for (int place = 0; place < count; place++) {
        if (truths[place]) {
            return place;
        }
    }
    return count;
}

// Which of several numbers is the largest, the first of equal ones.
private static int largest_of(double[] numbers, int count) {
    int largest = 0;
    for (int place = 1; place < count; place++) {
        if (numbers[place] > numbers[largest]) {
            largest = place;
        }
    }
    return largest;
}

private static double larger(double a, double b) {
    return a > b ? a : b;
}

private static double clamp(double x, double low, double high) {
    return x > low ? x < high ? x : high : low;
}

// The codes that fall short, those that do most first, the first of equal ones; then how many codes there are, and NaN.
private static Ranking ranked(double[] numbers, int count, int ranks) {
    Ranking ranking = new Ranking();
    ranking.codes = new int[ranks];
    ranking.shorts = new double[ranks];
    java.util.Arrays.fill(ranking.codes, count);
    java.util.Arrays.fill(ranking.shorts, Double.NaN);
    for (int code = 0; code < count; code++) {
        double number = numbers[code];
        int rank = ranks;
        while (rank > 0 && number > 0.0 && !(ranking.shorts[rank - 1] >= number)) {
            if (rank < ranks) {
                ranking.codes[rank] = ranking.codes[rank - 1];
                ranking.shorts[rank] = ranking.shorts[rank - 1];
            }
            rank--;
        }
        if (rank < ranks) {
            ranking.codes[rank] = code;
            ranking.shorts[rank] = number;
        }
    }
    return ranking;
}
private static final class Ranking {
    int[] codes;
    double[] shorts;
}

// The words of those truths that hold, with blanks between.
private static String spelled(String[] words, boolean[] truths, int count) {
    StringBuilder told = new StringBuilder();
    for (int place = 0; place < count; place++) {
        if (truths[place]) {
            told.append(told.length() > 0 ? " " : "").append(words[place]);
        }
    }
    return told.toString();
}

// A long table, whose parts are classes of their own, since the code that fills one is limited.
@SafeVarargs
@SuppressWarnings("unchecked")
private static <T> T joined(T... parts) {
    int size = 0;
    for (T part : parts) {
        size += java.lang.reflect.Array.getLength(part);
    }
    Object whole = java.lang.reflect.Array.newInstance(parts[0].getClass().getComponentType(), size);
    size = 0;
    for (T part : parts) {
        int length = java.lang.reflect.Array.getLength(part);
        System.arraycopy(part, 0, whole, size, length);
        size += length;
    }
    return (T) whole;
}
