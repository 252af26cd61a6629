package org.ibidem.serial.generate;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_char;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Page;

/// Names of classes and types of methods that generated code uses.
public final class Names {
    public static final ClassDesc ENCODER = desc(Encoder.class);
    public static final ClassDesc DECODER = desc(Decoder.class);
    public static final ClassDesc CODEC = desc(Codec.class);
    public static final ClassDesc PAGE = desc(Page.class);
    public static final ClassDesc BYTES = CD_byte.arrayType();

    public static final MethodTypeDesc WRITE =
            MethodTypeDesc.of(CD_void, ENCODER, CD_Object, CD_int);
    public static final MethodTypeDesc PUT =
            MethodTypeDesc.of(CD_int, ENCODER, CD_Object, CD_int, CD_int);
    public static final MethodTypeDesc READ = MethodTypeDesc.of(CD_Object, DECODER, CD_int);
    public static final MethodTypeDesc FILL =
            MethodTypeDesc.of(CD_long, DECODER, CD_Object, CD_int);

    public static final MethodTypeDesc BLOCK =
            MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_int, CD_int);
    public static final MethodTypeDesc INT_TO_INT = MethodTypeDesc.of(CD_int, CD_int);
    public static final MethodTypeDesc INT_TO_VOID = MethodTypeDesc.of(CD_void, CD_int);
    public static final MethodTypeDesc TO_BYTES = MethodTypeDesc.of(BYTES);
    public static final MethodTypeDesc TO_INT = MethodTypeDesc.of(CD_int);
    public static final MethodTypeDesc TO_LONG = MethodTypeDesc.of(CD_long);
    public static final MethodTypeDesc TO_VOID = MethodTypeDesc.of(CD_void);
    public static final MethodTypeDesc PUT_TEXT = MethodTypeDesc.of(CD_int, CD_String, CD_int);
    public static final MethodTypeDesc INTS_TO_INT = MethodTypeDesc.of(CD_int, CD_int, CD_int);
    public static final MethodTypeDesc REGISTER = MethodTypeDesc.of(CD_int, CD_Object, CD_int);
    public static final MethodTypeDesc LONG_TO_VOID = MethodTypeDesc.of(CD_void, CD_long);
    public static final MethodTypeDesc INT_LONG_TO_VOID =
            MethodTypeDesc.of(CD_void, CD_int, CD_long);
    public static final MethodTypeDesc SUM = MethodTypeDesc.of(CD_long, CD_long, CD_long);
    public static final MethodTypeDesc OPEN =
            MethodTypeDesc.of(CD_int, CD_Object, CODEC, CD_int, CD_int);
    public static final MethodTypeDesc ENTER_WRITE =
            MethodTypeDesc.of(CD_int, CODEC, CD_Object, CD_int, CD_int);
    public static final MethodTypeDesc WRITE_ANY =
            MethodTypeDesc.of(CD_int, CD_Object, CD_int, CD_int);
    public static final MethodTypeDesc CODEC_OF = MethodTypeDesc.of(CODEC, CD_int);
    public static final MethodTypeDesc READ_ANY = MethodTypeDesc.of(CD_Object, CD_int, CD_int);
    public static final MethodTypeDesc READ_TEXT = MethodTypeDesc.of(CD_String, CD_int, CD_int);
    public static final MethodTypeDesc ENTER_READ = MethodTypeDesc.of(CD_Object, CODEC, CD_int);
    public static final MethodTypeDesc REPLACE = MethodTypeDesc.of(CD_void, CD_int, CD_Object);
    public static final MethodTypeDesc PUT_SHORT =
            MethodTypeDesc.of(CD_void, BYTES, CD_int, CD_short);
    public static final MethodTypeDesc PUT_INT = MethodTypeDesc.of(CD_void, BYTES, CD_int, CD_int);
    public static final MethodTypeDesc PUT_LONG =
            MethodTypeDesc.of(CD_void, BYTES, CD_int, CD_long);
    public static final MethodTypeDesc GET_SHORT = MethodTypeDesc.of(CD_short, BYTES, CD_int);
    public static final MethodTypeDesc GET_CHAR = MethodTypeDesc.of(CD_char, BYTES, CD_int);
    public static final MethodTypeDesc GET_INT = MethodTypeDesc.of(CD_int, BYTES, CD_int);
    public static final MethodTypeDesc GET_LONG = MethodTypeDesc.of(CD_long, BYTES, CD_int);
    public static final MethodTypeDesc GET_TRUTH = MethodTypeDesc.of(CD_boolean, BYTES, CD_int);

    private Names() {}

    public static ClassDesc desc(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    /// The type of a field as generated code sees it: a primitive, or any object.
    public static ClassDesc erased(char code) {
        return switch (code) {
            case 'Z' -> CD_boolean;
            case 'B' -> CD_byte;
            case 'S' -> CD_short;
            case 'C' -> CD_char;
            case 'I' -> CD_int;
            case 'F' -> CD_float;
            case 'J' -> CD_long;
            case 'D' -> CD_double;
            default -> CD_Object;
        };
    }
}
