package org.ibidem.serial.inside;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static org.ibidem.serial.generate.Names.BYTES;
import static org.ibidem.serial.generate.Names.CODEC;
import static org.ibidem.serial.generate.Names.DECODER;
import static org.ibidem.serial.generate.Names.ENCODER;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/// What is added to a class:
///
/// ```java
/// static int ibidem$put(Codec, Encoder, C, int depth, int at)   // writes an object
/// static Object ibidem$read(Codec, Decoder, int depth)          // reads one
/// C(Decoder, int depth)                                         // reads all its fields
/// // and for subclasses, which know where in the block the fields of each size begin:
/// static void ibidem$values(C, byte[] page, int at8, int at4, int at2, int at1)
/// static int ibidem$references(Codec, Encoder, C, int depth, int at)
/// C(Decoder, int depth, int at8, int at4, int at2, int at1)
/// // and what all of it relies on:
/// static final String ibidem$shape
/// ```
final class Members {
    static final String PREFIX = "ibidem$";
    static final String PUT = PREFIX + "put";
    static final String READ = PREFIX + "read";
    static final String VALUES = PREFIX + "values";
    static final String REFERENCES = PREFIX + "references";
    static final String SHAPE = PREFIX + "shape";

    static final MethodTypeDesc READ_TYPE = MethodTypeDesc.of(CD_Object, CODEC, DECODER, CD_int);
    static final MethodTypeDesc CONSTRUCTOR = MethodTypeDesc.of(CD_void, DECODER, CD_int);
    static final MethodTypeDesc SUPER_CONSTRUCTOR =
            MethodTypeDesc.of(CD_void, DECODER, CD_int, CD_int, CD_int, CD_int, CD_int);

    private Members() {}

    static MethodTypeDesc putType(ClassDesc type) {
        return MethodTypeDesc.of(CD_int, CODEC, ENCODER, type, CD_int, CD_int);
    }

    static MethodTypeDesc valuesType(ClassDesc type) {
        return MethodTypeDesc.of(CD_void, type, BYTES, CD_int, CD_int, CD_int, CD_int);
    }
}
