package org.ibidem.serial.codec;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.ibidem.Visible;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Page;
import org.jspecify.annotations.Nullable;

/// The constants of an enum, each by its place in the list that the writer described.
final class Enums extends Codec {
    private final List<String> names;

    /// By their places; null for one that is not here.
    private final @Nullable Enum<?>[] constants;

    /// For the constants that are here.
    Enums(Class<?> type) {
        super(type, VALUE);
        var all = (Enum<?>[]) type.getEnumConstants();
        this.constants = all;
        var list = new ArrayList<String>();
        for (var constant : all) {
            list.add(constant.name());
        }
        this.names = List.copyOf(list);
    }

    /// For the constants that a peer described.
    Enums(Class<?> type, Description there) {
        super(type, VALUE);
        this.names = there.names();
        var here = new HashMap<String, Enum<?>>();
        for (var constant : type.getEnumConstants()) {
            here.put(((Enum<?>) constant).name(), (Enum<?>) constant);
        }
        this.constants = new @Nullable Enum<?>[names.size()];
        for (int i = 0; i < constants.length; i++) {
            constants[i] = here.get(names.get(i));
        }
    }

    @Override
    public Description description() {
        return Description.of(Description.Kind.ENUM, type.getName(), names);
    }

    @Override
    public void write(Encoder to, Object object, int depth) throws IOException {
        to.filled(put(to, object, depth, to.position()));
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // the peer knows the list
    public int put(Encoder to, Object object, int depth, int at) throws IOException {
        int place = ((Enum<?>) object).ordinal();
        int here = to.room(at, Short.BYTES);
        if (constants.length <= Description.FIT_A_BYTE) {
            to.page()[here] = (byte) place;
            return here + 1;
        }
        Page.putShort(to.page(), here, (short) place);
        return here + Short.BYTES;
    }

    @Override
    public Object read(Decoder from, int depth) throws IOException {
        int place =
                constants.length <= Description.FIT_A_BYTE
                        ? from.getUnsigned()
                        : Short.toUnsignedInt(from.getShort());
        if (place >= constants.length) {
            throw from.corrupt("constant " + place + " of " + type.getName());
        }
        var constant = constants[place];
        if (constant == null) {
            throw new InvalidObjectException(
                    "enum constant "
                            + Visible.of(names.get(place))
                            + " does not exist in class "
                            + type.getName());
        }
        return constant;
    }
}
