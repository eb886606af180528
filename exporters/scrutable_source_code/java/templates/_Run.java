// Runs an exported class on rows: `common/transfer.py` is the other side.
// No exported file is called so: their names begin with a letter.
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

public final class _Run {
    private static ByteBuffer content;

    public static void main(String[] arguments) throws Exception {
        content = ByteBuffer.wrap(Files.readAllBytes(Paths.get("rows.bin"))).order(ByteOrder.LITTLE_ENDIAN);
        Class<?> inputs = Class.forName(arguments[0] + "$Input");
        Class<?> outputs = Class.forName(arguments[0] + "$Result");
        Method score = Class.forName(arguments[0]).getMethod("score", inputs);
        int count = content.getInt();
        int width = content.getInt();
        int told = content.getInt();
        for (int place = 0; place < told; place++) {
            content.getInt();
        }
        Object[] rows = new Object[count];
        for (int row = 0; row < count; row++) {
            rows[row] = inputs.getConstructor().newInstance();
        }
        for (int column = 0; column < width; column++) {
            read(inputs.getField(text()), rows);
        }
        Object[] results = new Object[count];
        for (int row = 0; row < count; row++) {
            results[row] = score.invoke(null, rows[row]);
        }
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        for (int place = 1; place < arguments.length; place++) {
            write(outputs.getField(arguments[place]), results, written);
        }
        Files.write(Paths.get("results.bin"), written.toByteArray());
    }

    private static void read(Field field, Object[] rows) throws Exception {
        if (content.getInt() == 0) {
            for (Object row : rows) {
                field.setDouble(row, content.getDouble());
            }
            return;
        }
        String[] texts = new String[content.getInt()];
        for (int place = 0; place < texts.length; place++) {
            texts[place] = text();
        }
        for (Object row : rows) {
            field.set(row, texts[content.getInt()]);
        }
    }

    private static String text() {
        int size = content.getInt();
        if (size < 0) {
            return null;
        }
        byte[] bytes = new byte[size];
        content.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void write(Field field, Object[] results, ByteArrayOutputStream written) throws Exception {
        for (Object result : results) {
            Object value = field.get(result);
            byte[] bytes = value instanceof String ? ((String) value).getBytes(StandardCharsets.UTF_8) : new byte[0];
            ByteBuffer cell = ByteBuffer.allocate(8 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
            if (value instanceof Number) {
                cell.putDouble(((Number) value).doubleValue());
            } else {
                cell.putInt(value == null ? -1 : bytes.length).put(bytes);
            }
            written.write(cell.array(), 0, cell.position());
        }
    }
}
